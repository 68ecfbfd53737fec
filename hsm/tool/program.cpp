// The program `hsm`.

#include <hsm/tool/main.hpp>

int main(int argc, char** argv) { return hsm::tool::main(argc, argv); }
