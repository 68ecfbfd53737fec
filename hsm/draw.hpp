/// Pictures of charts: Graphviz, SVG, Mermaid, PlantUML and text.
#pragma once

#include <hsm/draw/dot.hpp>
#include <hsm/draw/draw_error.hpp>
#include <hsm/draw/drawing.hpp>
#include <hsm/draw/highlights.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/options.hpp>
#include <hsm/draw/plantuml.hpp>
#include <hsm/draw/svg.hpp>
#include <hsm/draw/text.hpp>
