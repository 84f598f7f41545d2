#compdef dataimport
# Completion of dataimport for zsh. In ~/.zshrc, after compinit: eval "$(dataimport completion zsh)"
# The function asks the program, so this file needs no change when a command gets a flag.
_dataimport() {
  local line files=
  local -a found
  for line in "${(@f)$(dataimport completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done
  (( $#found )) && _describe dataimport found
  if [[ -n $files ]]; then
    compset -P '--*='
    _files
  fi
}
if [[ ${funcstack[1]} == _dataimport ]]; then _dataimport "$@"; else compdef _dataimport dataimport; fi
