import { describe, expect, test } from 'vitest';
import { pathOfListingLine } from '../../../../src/cli/push/stage/listing-line.ts';

describe('a line of a listing', () => {
  test.each([
    ['a plain path', 'bills/2025/a b.pdf'],
    ['a path below here', './bills/2025/a b.pdf'],
    ['a path from the root', '/bills/2025/a b.pdf'],
    ['an address of a bucket', 's3://bucket/bills/2025/a b.pdf'],
    ['aws s3 ls --recursive', '2026-01-31 09:30:00      12345 bills/2025/a b.pdf'],
    ['aws s3 ls --human-readable', '2026-01-31 09:30:00   12.1 KiB bills/2025/a b.pdf'],
    ['gsutil ls -l', '     12345  2026-01-31T09:30:00Z  gs://bucket/bills/2025/a b.pdf'],
    ['rclone lsl', '    12345 2026-01-31 09:30:00.000000000 bills/2025/a b.pdf'],
    ['rclone ls', '    12345 bills/2025/a b.pdf'],
    ['ls -l', '-rw-r--r-- 1 root root 12345 Jan 31 09:30 bills/2025/a b.pdf'],
    ['ls -l of last year', '-rw-r--r--  1 me staff  12345 Jan  3  2025 bills/2025/a b.pdf'],
    ['JSON of S3', '{"Key": "bills/2025/a b.pdf", "Size": 12345}'],
    ['JSON of rclone', '{"Path":"bills/2025/a b.pdf","Name":"a b.pdf","Size":12345}'],
    ['a line of Windows', 'bills/2025/a b.pdf\r'],
  ])('of the kind %s has its path', (_, line) => {
    expect(pathOfListingLine(line)).toBe('bills/2025/a b.pdf');
  });

  test.each([
    '',
    '  ',
    'total 48',
    'bills/2025/',
    'drwxr-xr-x 2 root root 4096 Jan 31 09:30 bills',
    '                           PRE bills/',
    '{"Size": 1}',
    '{broken',
    's3://bucket/',
  ])('%j lists no document', (line) => {
    expect(pathOfListingLine(line)).toBeUndefined();
  });

  test('may have a path that begins with digits', () => {
    expect(pathOfListingLine('2025/01/a.pdf')).toBe('2025/01/a.pdf');
    expect(pathOfListingLine('2026-01-31 09:30:00 12345 2025/01/a.pdf')).toBe('2025/01/a.pdf');
  });
});
