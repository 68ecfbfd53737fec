/// The character's machine, composed of its parts.
///
///     character
///     ├── title                                         until START
///     ├── move     ground{idle walk crouch} air{rise fall} land climb
///     ├── attack   whip{…} sword{…} bow{…} throw{…}     finished when its weapon is
///     ├── hit                                           from any state
///     ├── dead     collapse lie                         from any state, with the highest priority
///     ├── respawn
///     └── pause
#pragma once

#include <samples/character/character.hpp>

#include <hsm/define/fsm.hpp>

/// Returns a definition, so that a recorder can be attached before it is compiled.
hsm::owned<hsm::fsm<character>> make_character();
