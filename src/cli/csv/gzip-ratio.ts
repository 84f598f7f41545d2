/**
 * How many times larger than a `.gz` file its content may be, unless a flag raises it. CSV files unpack to 5 to 50 times their
 * size; a file of zeros, made to fill a disk, to 1,000 times.
 */
export const MAX_GZIP_RATIO = 200;
