#pragma once
int add_on_device(int a, int b);
