# Completion of dataimport for bash. In ~/.bashrc: eval "$(dataimport completion bash)"
# The function asks the program, so this file needs no change when a command gets a flag.
_dataimport() {
  local word=${COMP_WORDS[COMP_CWORD]} line files=
  # bash makes a word of its own of the = in --run=2026.
  [[ $word == = ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; else COMPREPLY+=("${line%%$'\t'*}"); fi
  done < <(dataimport completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $files ]]; then
    compopt -o filenames
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
  fi
}
complete -F _dataimport dataimport
