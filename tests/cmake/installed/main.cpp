#include <cstdio>

int answer();

int main() { std::printf("answer: %d\n", answer()); }
