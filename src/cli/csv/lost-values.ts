/** Texts that spreadsheets show in place of a value that they have lost, anywhere: `#N/A`, `#BEZUG!`, `########`. */
export const LOST_VALUE = /^#+$|#{4,}|#n\/a|#nv(?!\p{L})|#[\p{L}\d/]+[!?]/iu;

/** Words for "no value" that are no sign of an accountant for zero, as a dash is. */
export const NO_VALUE_WORD = /^(?:null|\(null\)|<null>|\\n|n\/a|n\.a\.?|nan|none|nil|undefined)$/i;

/** Words and signs for "no value". */
export const NO_VALUE = /^(?:null|\(null\)|<null>|\\n|n\/a|n\.a\.?|nan|none|nil|undefined|-{1,3}|\?+|\.+)$/i;
