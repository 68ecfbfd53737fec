/// The character's machine, put together from its parts.
///
///     character
///     ├── title                                         until START
///     ├── move     ground{idle walk crouch} air{rise fall} land climb
///     ├── attack   whip{…} sword{…} bow{…} throw{…}     over when its weapon is
///     ├── hit                                           from any state
///     ├── dead     collapse lie                         from any state, above all
///     ├── respawn
///     └── pause
#pragma once

#include <samples/character/character.hpp>

#include <hsm/define/fsm.hpp>

/// A definition, so that a recorder can be attached before it is compiled.
hsm::owned<hsm::fsm<character>> make_character();
