/// Each of them plays one recipe of docs/guide/recipes.md, and checks that it does what the page says.
#pragma once

void any_state_except();
void cooldown();
void input_buffer();
void invulnerability();

void charge();
void combo();
void dash();

void menus();
void retry();
void squad_alert();
void timeouts();
