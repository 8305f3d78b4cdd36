// error: use of undeclared identifier 'cudaGraphCreate'
// A function that is not there is not declared.

int main() { return cudaGraphCreate(nullptr, 0); }
