#!/usr/bin/env bash
# Tests the program hsm in a shell: program.sh <hsm> <data of samples>
set -uo pipefail
hsm=$(realpath "$1") data=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# expect <test> <result> <expected>
expect() {
    [[ $2 == "$3" ]] && return
    echo "$1: '$2' instead of '$3'"
    failures=$((failures + 1))
}
# code <command>...: prints the exit code of a command, without its output
code() {
    "$@" >/dev/null 2>&1
    echo $?
}

echo "== exit codes"
cp "$data/monster.xml" good.xml
echo '<Project name="p"><state ID="a"><to ID="b"/></state></Project>' >bad.xml
: >empty.xml
head -c 5000 /dev/urandom >noise.xml
mkdir folder
expect "a good file" "$(code "$hsm" check good.xml)" 0
expect "a bad one" "$(code "$hsm" check bad.xml)" 1
expect "an empty one" "$(code "$hsm" check empty.xml)" 1
expect "noise" "$(code "$hsm" check noise.xml)" 1
expect "none" "$(code "$hsm" check none.xml)" 2
expect "a folder" "$(code "$hsm" check folder)" 2
expect "an unknown command" "$(code "$hsm" chekc good.xml)" 2
expect "an unknown option" "$(code "$hsm" check --verbos good.xml)" 2
for command in 'check' 'draw' 'convert' 'replay' 'run' 'test' 'trace show' 'trace convert' 'trace diff' 'trace stats'; do
    read -ra words <<<"$command"
    expect "$command without anything" "$(code "$hsm" "${words[@]}" </dev/null)" 2
    expect "$command --help" "$(code "$hsm" "${words[@]}" --help)" 0
done

echo "== failed writes leave no partial files"
for command in 'draw good.xml -l dot -o' 'convert good.xml --to xml'; do
    read -ra words <<<"$command"
    expect "$command /dev/full" "$("$hsm" "${words[@]}" /dev/full 2>&1)" "/dev/full: error: it cannot be written: the disk is full"
    expect "$command folder" "$("$hsm" "${words[@]}" folder 2>&1)" "folder: error: it cannot be written: it is a directory"
done
expect "stdout is full" "$("$hsm" --help 2>&1 >/dev/full)" "hsm: error: the output cannot be written: the disk is full"
expect "stdout is closed" "$(code bash -c "'$hsm' --help >&-")" 2
"$hsm" draw good.xml | head -n 1 >first
expect "a closed pipe is no error" "$(cat first)" MonsterFSM
if ((EUID != 0)) || command -v setpriv >/dev/null; then
    as_nobody=() # root can write anywhere
    if ((EUID == 0)); then as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups); fi
    chmod 755 . && chmod 644 good.xml && mkdir -m 555 closed
    expect "no permission" "$("${as_nobody[@]}" "$hsm" draw good.xml -l dot -o closed/new.dot 2>&1)" \
        "closed/new.dot: error: it cannot be written: permission denied"
    rmdir closed # fails if it contains a file
fi
expect "files in the folder" "$(ls | sort | tr '\n' ' ')" "bad.xml empty.xml first folder good.xml noise.xml "

echo "== completion"
"$hsm" completion bash >completion.bash
bash -n completion.bash || failures=$((failures + 1))
# offered <word>...: prints the completions that bash offers for the last word
offered() {
    bash -c 'source completion.bash; shift 0; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _hsm; printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " "' bash "$@"
}
expect "commands" "$(offered hsm ch)" "check "
expect "commands of a group" "$(offered hsm trace s)" "show stats "
expect "options" "$(offered hsm draw --d)" "--depth --direction "
expect "options of a command of a group" "$(offered hsm trace convert --t)" "--to "
expect "choices" "$(offered hsm draw --language p)" "pdf plantuml png "
expect "choices of a positional argument" "$(offered hsm completion '')" "bash "
expect "files of machines, and folders" "$(offered hsm check '')" "bad.xml empty.xml folder good.xml noise.xml "
expect "other files" "$(offered hsm trace show fi)" "first "
for name in $("$hsm" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    expect "the command $name is offered" "$(offered hsm "$name")" "$name "
done

echo "== the man page"
"$hsm" manual >hsm.1
for name in check draw run convert replay 'trace show' 'trace convert' 'trace diff' 'trace stats' completion manual; do
    grep -qxF ".SS $name" hsm.1 || { echo "the man page has no chapter $name"; failures=$((failures + 1)); }
done
if command -v groff >/dev/null; then
    expect "warnings of groff" "$(groff -man -ww -z hsm.1 2>&1)" ""
fi

((failures == 0)) && echo "no failures"
exit $((failures > 0))
