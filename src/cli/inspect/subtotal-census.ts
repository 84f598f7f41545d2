import { Tally } from './places.ts';
import type { LooseRow } from './row-cutter.ts';

/** Rows of totals between the rows of data. */
export interface Subtotals {
  /** One-based column of the word. */
  readonly column: number;
  /** As the cells begin; one out of a list of such words. */
  readonly word: string;
  readonly count: number;
  readonly lines: readonly number[];
}

const WORD =
  /^(?:sub[- ]?totals?|grand totals?|totals?|carried forward|zwischensumme|gesamtsumme|gesamt|summe|übertrag|sous-total|suma|razem|totale|subtotale|součet|celkem|összesen|toplam|итого|всего|σύνολο|小計|合計|総計)(?![\p{L}\p{N}])/iu;

/** Such a row has less in it than rows of data have, in parts of ten. */
const SPARSE_TENTHS = 7;

/** Takes the rows of a table, and looks for those that begin with a word for a total and are mostly empty. */
export class SubtotalCensus {
  private readonly found = new Tally();
  private rows = 0;
  private filledCells = 0;

  accept({ cells, firstLine }: LooseRow): void {
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    const at = cells.findIndex((cell) => cell.trim() !== '');
    const word = WORD.exec(cells[at]?.trimStart() ?? '')?.[0];
    // How much other rows hold on average is known at the end.
    if (word !== undefined) this.found.add(`${filled} ${at + 1} ${word}`, firstLine);
    else if (filled > 0) {
      this.rows++;
      this.filledCells += filled;
    }
  }

  result(): readonly Subtotals[] {
    return this.found.ranked().flatMap(({ name, count, lines }) => {
      const [filled, column, ...words] = name.split(' ');
      const isSparse = Number.parseInt(filled!, 10) * this.rows * 10 <= this.filledCells * SPARSE_TENTHS;
      return isSparse ? [{ column: Number.parseInt(column!, 10), word: words.join(' '), count, lines }] : [];
    });
  }
}
