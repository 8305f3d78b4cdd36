// Module surgery that the C interface lacks.
