import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../../src/core/values/instant.ts';
import { instantsInZone } from '../../../src/core/values/local-time.ts';

describe('a wall-clock time', () => {
  test.each([
    ['Europe/London', '2024-01-15', '12:00:00', '2024-01-15T12:00:00Z'],
    ['Europe/London', '2024-07-15', '12:00:00', '2024-07-15T11:00:00Z'],
    ['Asia/Kolkata', '2024-07-15', '12:00:00.25', '2024-07-15T06:30:00.25Z'],
    ['Australia/Sydney', '2024-01-15', '00:00:00', '2024-01-14T13:00:00Z'],
    // Historic offsets had seconds.
    ['Europe/Paris', '1900-01-15', '12:00:00', '1900-01-15T11:50:39Z'],
  ])('in %s on %s at %s is one instant', (zone, date, time, instant) => {
    const found = instantsInZone(zone)({ date, time }, undefined);
    expect(found).toBe(instant);
    expect(parseInstant(found as string)).toBe(found);
  });

  test.each([
    ['Europe/London', '2024-03-31', '01:00:00', 'skipped'],
    ['Europe/London', '2024-03-31', '01:59:59', 'skipped'],
    ['Europe/London', '2024-10-27', '01:00:00', 'repeated'],
    ['Australia/Lord_Howe', '2024-10-06', '02:29:59', 'skipped'],
    // A day that Samoa skipped.
    ['Pacific/Apia', '2011-12-30', '12:00:00', 'skipped'],
  ])('in %s on %s at %s was %s', (zone, date, time, none) => {
    expect(instantsInZone(zone)({ date, time }, undefined)).toEqual({ none });
  });
});
