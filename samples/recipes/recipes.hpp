/// Each function plays one recipe of docs/guide/recipes.md, and checks the behavior that the page describes.
#pragma once

void any_state_except();
void cooldown();
void input_buffer();
void invulnerability();

void charge();
void combo();
void buffered_combo();
void dash();

void eight_attacks();
void late_answer();
void menus();
void modal_dialog();
void retry();
void squad_alert();
void timeouts();
