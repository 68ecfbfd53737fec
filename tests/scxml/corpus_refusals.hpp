/// Documents of the corpus that are in the null or the ECMAScript model, and are refused all the same: with which error, and the paragraph of the
/// Recommendation that says so. (What is in another language is refused by its name.)
#pragma once

#include <string_view>

namespace suites {

struct expected_refusal {
    std::string_view document;
    std::string_view code;
    std::string_view why;
};

inline constexpr expected_refusal expected_refusals[] = {
    {"Open-MBEE-scxml4py/test/models/scxmlModelHistory.xml", "HSM-007", "3.14: what is named is the id of a state"},
    {"Open-MBEE-scxml4py/test/models/scxmlModelParallel.xml", "HSM-317", "3.4: a <parallel> has no <initial>"},
    {"Phrogz-visual-scxml-editor/docs/example.scxml", "HSM-317", "3.10: a <history> leads to children of its state, which has none"},
    {"ScalABLE40-scxml_interpreter/tests/resources/dummy_test.scxml", "HSM-317", "3.6: the <transition> of an <initial> has no \"event\""},
    {"ScalABLE40-scxml_interpreter/tests/resources/parallel.scxml", "HSM-317", "3.6: the <transition> of an <initial> has no \"event\""},
    {"apache-commons-scxml/src/test/java/org/apache/commons/scxml2/io/data-with-src-and-expr.xml", "HSM-312",
     "5.3: \"src\" and \"expr\" exclude each other"},
    {"apache-commons-scxml/src/test/java/org/apache/commons/scxml2/io/data-with-src.xml", "HSM-395",
     "5.3: what \"src\" names cannot be fetched: there is no network"},
    {"igor-krechetov-hsmcpp/examples/06_actions/06_actions.scxml", "HSM-317", "3.6: the <transition> of an <initial> has no \"event\""},
    {"igor-krechetov-hsmcpp/examples/08_freertos/08_freertos.scxml", "HSM-311", "3.10: a <history> has a <transition>"},
    {"igor-krechetov-hsmcpp/tests/scxml/08_history/08_history_deep.scxml", "HSM-311", "3.10: a <history> has a <transition>"},
    {"igor-krechetov-hsmcpp/tests/scxml/08_history/08_history_multiple.scxml", "HSM-311", "3.10: a <history> has a <transition>"},
    {"igor-krechetov-hsmcpp/tests/scxml/08_history/08_history_shallow.scxml", "HSM-311", "3.10: a <history> has a <transition>"},
    {"igor-krechetov-hsmcpp/tests/scxml/08_history/08_history_simple.scxml", "HSM-311", "3.10: a <history> has a <transition>"},
    {"igor-krechetov-hsmcpp/tests/scxml/includes/include.scxml", "HSM-396", "3.14: ids are unique"},
    {"igor-krechetov-hsmcpp/tests/scxml/includes/include_large.scxml", "HSM-396", "3.14: ids are unique"},
    {"igor-krechetov-hsmcpp/tests/scxml/includes/include_only_elements.scxml", "HSM-391", "3.2: the root is <scxml>"},
    {"igor-krechetov-hsmcpp/tests/scxml/parallel.scxml", "HSM-317", "3.6: an <initial> has one <transition>"},
    {"igor-krechetov-hsmcpp/tests/scxml/sample.scxml", "HSM-395", "5.8: the script cannot be had: \"src\" is the name of a callback of its engine"},
    {"ldltools-scxmlrun/examples/ping_pong/pong.scxml", "HSM-312", "3.13: \"event\" names an event; it is a blank"},
    {"sverweij-state-machine-cat/docs/pics/scxml-invoke.scxml", "HSM-308", "6.4: an <invoke> has elements in it, and no text"},
    {"sverweij-state-machine-cat/docs/samples/sprint-states.scxml", "HSM-308", "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/000-d-empty.scxml", "HSM-002", "3.2: a document has a <state>, <parallel> or <final>"},
    {"sverweij-state-machine-cat/test/render/fixtures/102-d-one-state-with-onentry.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/103-d-one-state-with-onentries.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/104-d-one-state-with-onexit.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/105-d-one-state-with-onexits.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/106-d-one-state-with-activities-needing-escapes.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/131-d-one-deep-history-state.scxml", "HSM-317",
     "3.10: a <history> leads to children of its state, which has none"},
    {"sverweij-state-machine-cat/test/render/fixtures/200-d-more-states.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/304-d-non-hierarchic-transition-with-action.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/306-d-non-hierarchic-transition-with-event-and-action.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/307-d-non-hierarchic-transition-with-event-action-and-condtion.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/310-d-non-hierarchic-internal-transition-with-action.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/406-d-pseudo-state-choice.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/506-hierarchical-with-text-that-needs-escaping.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/510-hierarchical-one-initial-state.scxml", "HSM-317",
     "3.3: an atomic state has no \"initial\""},
    {"sverweij-state-machine-cat/test/render/fixtures/514-hierarchical-with-initial-state-pointing-somehwhere-with-an-action.scxml", "HSM-007",
     "3.14: what is named is the id of a state"},
    {"sverweij-state-machine-cat/test/render/fixtures/601-d-kitchensink-with-notes.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/803-labels-one-state-composite-with-activities.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/804-labels-one-state-with-activities.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/805-colors-toverbal.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/806-active-and-inactive.scxml", "HSM-308",
     "4: executable content is elements; there is text among them"},
    {"sverweij-state-machine-cat/test/render/fixtures/810-d-note-initial.scxml", "HSM-002", "3.2: a document has a <state>, <parallel> or <final>"},
    {"sverweij-state-machine-cat/test/render/fixtures/812-d-note-history.scxml", "HSM-317", "3.2: a <history> is no child of <scxml>"},
    {"sverweij-state-machine-cat/test/render/fixtures/813-d-note-deep-history.scxml", "HSM-317", "3.2: a <history> is no child of <scxml>"},
};

} // namespace suites
