/// The machine of samek.hpp as an SCXML document without a data model, and the same chart in code. Two things are not Samek's: what `foo` is to
/// him is a region of its own, which comes behind, so that all ask In() of the same configuration; and a transition to a superstate leaves that,
/// too, as SCXML has it.
#pragma once

#include <string>
#include <string_view>

namespace samek {

/// With counters, elements of a namespace of their own, or without them.
inline std::string scxml_document(bool counters) {
    std::string text = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:b="urn:bench" version="1.0" datamodel="null" name="samek">
  <parallel id="both">
    <state id="top" initial="s2">
      <state id="s">
        <onentry><b:s_entered/></onentry>
        <onexit><b:s_exited/></onexit>
        <initial><transition target="s11"><b:s_chosen/></transition></initial>
        <transition event="E" target="s11" type="internal"><b:s_E/></transition>
        <transition event="I" cond="In(foo)"><b:s_I/></transition>
        <state id="s1">
          <onentry><b:s1_entered/></onentry>
          <onexit><b:s1_exited/></onexit>
          <initial><transition target="s11"><b:s1_chosen/></transition></initial>
          <transition event="A" target="s1"><b:s1_A/></transition>
          <transition event="B" target="s11" type="internal"><b:s1_B/></transition>
          <transition event="C" target="s2"><b:s1_C/></transition>
          <transition event="D" cond="In(bar)" target="s"><b:s1_D/></transition>
          <transition event="F" target="s211"><b:s1_F/></transition>
          <transition event="I"><b:s1_I/></transition>
          <state id="s11">
            <onentry><b:s11_entered/></onentry>
            <onexit><b:s11_exited/></onexit>
            <transition event="D" cond="In(foo)" target="s1"><b:s11_D/></transition>
            <transition event="G" target="s211"><b:s11_G/></transition>
            <transition event="H" target="s"><b:s11_H/></transition>
          </state>
        </state>
        <state id="s2">
          <onentry><b:s2_entered/></onentry>
          <onexit><b:s2_exited/></onexit>
          <initial><transition target="s211"><b:s2_chosen/></transition></initial>
          <transition event="C" target="s1"><b:s2_C/></transition>
          <transition event="F" target="s11"><b:s2_F/></transition>
          <transition event="I" cond="In(bar)"><b:s2_I/></transition>
          <state id="s21">
            <onentry><b:s21_entered/></onentry>
            <onexit><b:s21_exited/></onexit>
            <initial><transition target="s211"><b:s21_chosen/></transition></initial>
            <transition event="A" target="s21"><b:s21_A/></transition>
            <transition event="B" target="s211" type="internal"><b:s21_B/></transition>
            <transition event="G" target="s1"><b:s21_G/></transition>
            <state id="s211">
              <onentry><b:s211_entered/></onentry>
              <onexit><b:s211_exited/></onexit>
              <transition event="D" target="s21"><b:s211_D/></transition>
              <transition event="H" target="s"><b:s211_H/></transition>
            </state>
          </state>
        </state>
      </state>
    </state>
    <state id="flag">
      <state id="bar">
        <transition event="D" cond="In(s1)" target="foo"/>
        <transition event="I" cond="In(s2)" target="foo"/>
      </state>
      <state id="foo">
        <transition event="D" cond="In(s11)" target="bar"/>
        <transition event="I" cond="In(s2)" target="bar"/>
      </state>
    </state>
  </parallel>
</scxml>
)xml";
    while (!counters) {
        const auto begin = text.find("<b:");
        if (begin == text.npos) break;
        text.erase(begin, text.find('>', begin) + 1 - begin);
    }
    return text;
}

} // namespace samek
