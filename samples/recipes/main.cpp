// The recipes of docs/guide/recipes.md.

#include "recipes.hpp"

int main() {
    any_state_except();
    cooldown();
    input_buffer();
    invulnerability();
    charge();
    combo();
    buffered_combo();
    dash();
    eight_attacks();
    menus();
    modal_dialog();
    late_answer();
    retry();
    squad_alert();
    timeouts();
}
