# Completion of dataimport for fish: dataimport completion fish > ~/.config/fish/completions/dataimport.fish
# The function asks the program, so this file needs no change when a command gets a flag.
function __dataimport_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l word (commandline -ct)
    for line in (dataimport completion fish -- $words "$word" 2>/dev/null)
        if test "$line" = ':files'
            __fish_complete_path (string replace -r -- '^--[a-z-]+=' '' "$word")
        else
            printf '%s\n' $line
        end
    end
end
complete -c dataimport -f -a '(__dataimport_complete)'
