// The program `hsm`, without charts of its own.

#include <hsm/tool/main.hpp>

int main(int argc, char** argv) { return hsm::tool::main(argc, argv); }
