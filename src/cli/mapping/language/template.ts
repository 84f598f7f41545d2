/** The columns of a template; none when it is not right. */
export function templateColumns(template: string | undefined): readonly string[] {
  const pieces = template === undefined ? [] : templatePieces(template);
  return typeof pieces === 'string' ? [] : pieces.flatMap((piece) => ('column' in piece ? piece.column : []));
}

/** A piece of a template: a text of its own, or the name of a column. */
export type TemplatePiece = { readonly text: string } | { readonly column: string };

/** The name of a numbered column has `{n}` in it, until `repeat` has made its items. */
const PIECES = /\{\{|\}\}|\{(?<column>(?:[^{}]|\{n\})+)\}|[{}]|[^{}]+/gu;

/** Cuts `{Document}-{Position}` into its pieces. Doubled braces are braces. @returns the pieces, or what a template has to be */
export function templatePieces(template: string): readonly TemplatePiece[] | string {
  const pieces: TemplatePiece[] = [];
  for (const { 0: piece, groups } of template.matchAll(PIECES)) {
    const column = groups?.['column'];
    if (column !== undefined) pieces.push({ column });
    else if (piece === '{{' || piece === '}}') pieces.push({ text: piece.slice(1) });
    else if (piece === '{' || piece === '}')
      return `a template; a brace of its own is written \`${piece}${piece}\``;
    else pieces.push({ text: piece });
  }
  return pieces.some((piece) => 'column' in piece)
    ? pieces
    : 'a template with a column such as `{Name}`; use `constant` for a text without one';
}
