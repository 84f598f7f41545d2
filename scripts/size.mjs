// node scripts/size.mjs [folder]
//
// Counts what scripts/size.yaml has budgets for, prints the figures, and fails above a budget.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
const budgets = parse(read('scripts/size.yaml'));

const figures = [
  ...Object.entries(budgets.rooms).map(([name, room]) => sum(name, { ...room, endings: ['.ts'] }, linesOf)),
  ...Object.entries(budgets.lines).map(([name, part]) => sum(name, part, linesOf)),
  ...Object.entries(budgets.words).map(([name, part]) => sum(`words of ${name}`, part, wordsOf)),
  ...Object.entries(await interfaceFigures()).map(([name, is]) => ({
    name,
    is,
    most: budgets.interface[name],
  })),
];
printTable(figures);

const problems = [
  ...figures
    .filter(({ is, most }) => is > most)
    .map(({ name, is, most }) => `${name}: ${is - most} above its budget of ${most}`),
  ...filesOf({ in: ['src'], endings: ['.ts'] }).flatMap(problemOfHome),
  ...placesOfAll()
    .filter((place) => !existsSync(join(root, place)))
    .map((place) => `${place} of scripts/size.yaml is not there`),
];
for (const problem of problems) console.error(`size: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function sum(name, part, count) {
  const is = filesOf(part).reduce((total, path) => total + count(read(path)), 0);
  return { name, is, most: part.most };
}

/** A file that no room counts would have no budget. */
function problemOfHome(path) {
  const homes = Object.keys(budgets.rooms).filter((name) =>
    budgets.rooms[name].in.some((place) => path === place || path.startsWith(`${place}/`)),
  );
  if (homes.length === 1) return [];
  return [`${path} belongs to ${homes.length === 0 ? 'no room' : homes.join(' and ')} of scripts/size.yaml`];
}

function placesOfAll() {
  const { rooms, lines, words } = budgets;
  return [rooms, lines, words].flatMap((parts) => Object.values(parts).flatMap((part) => part.in));
}

/** Paths of the files below the places of a part, with one of its endings. */
function filesOf({ in: places, endings }) {
  const paths = places.flatMap((place) => (place.endsWith('.ts') ? [place] : filesBelow(place)));
  return endings ? paths.filter((path) => endings.some((ending) => path.endsWith(ending))) : paths;
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll(sep, '/'),
    );
}

/** Commands that do something and flags, of the snapshot of all pages of help, and codes of the table of codes. */
async function interfaceFigures() {
  const help = read('test/cli/surface.txt');
  const { ERROR_CODES } = await import(pathToFileURL(join(root, 'src/core/error-codes/table.ts')).href);
  return {
    commands: [...help.matchAll(/^Usage: (?!\S+(?: admin| contract)? \[options\] \[command\])/gm)].length,
    flags: new Set(Array.from(help.matchAll(/^ +(?:-\w, )?(--[a-z0-9-]+)/gm), ([, flag]) => flag)).size,
    codes: Object.keys(ERROR_CODES).length,
  };
}

function printTable(rows) {
  const line = (...cells) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(28) : cell.padStart(9))).join(''));
  line('', 'is', 'at most');
  for (const { name, is, most } of rows) line(name, String(is), String(most));
  const rooms = rows.slice(0, Object.keys(budgets.rooms).length);
  line(
    'all rooms of src',
    ...['is', 'most'].map((key) => String(rooms.reduce((total, room) => total + room[key], 0))),
  );
}

/** As `wc -l` counts them. */
function linesOf(text) {
  return text.split('\n').length - 1;
}

/** As `wc -w` counts them. */
function wordsOf(text) {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}
