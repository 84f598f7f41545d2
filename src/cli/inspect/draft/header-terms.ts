import type { Resource } from '../../../core/contract/resources.ts';

/** Names that suppliers use for the fields of the interface, and for the two sides of an amount, in English, German and Japanese. */
export type FieldTerms = Readonly<Record<string, readonly string[]>>;

/** Many words, without quotes around each. */
const words = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(', '));

const ACCOUNT: FieldTerms = {
  import_supplier: words('supplier, supplier code, lieferant, versorger, 供給者, 供給会社'),
  external_account_number: words(
    'customer, customer account no, kunde, account, account number, account no, account id, account reference, account ref, acct, acct no',
    'customer number, customer no, customer id, customer account, contract account, supply account',
    'kundennummer, kundennr, kunden nr, kdnr, konto, kontonummer, vertragskonto, vertragskontonummer',
    'vertragskonto nr, vkont, vertragsnummer, お客様番号, お客さま番号, 顧客番号, 契約番号, 需要家番号',
  ),
};

const TRANSACTION: FieldTerms = {
  transaction_id: words(
    'transaction ref, txn ref, entry, entry id, invoice, invoice no, invoice number, journalnummer, rechnungsnummer, vorgangsnummer, transaction id, transaction no, transaction number, transaction reference, trans id, txn id',
    'txn no, txid, document number, document no, doc no, voucher no, posting id, entry no',
    'belegnummer, belegnr, beleg nr, beleg, buchungsnummer, buchungsnr, 取引番号, 取引id, 伝票番号',
  ),
  transaction_date: words(
    'posted on, posted utc, transaction date, posting date, posted, post date, booking date, value date, date, txn date',
    'buchungsdatum, buchungstag, valuta, valutadatum, wertstellung, belegdatum, datum, 取引日, 計上日, 日付',
    '処理日, 入金日',
  ),
  amount: words(
    'total, total amount, net amount due, amount, amt, transaction amount, betrag, bruttobetrag, umsatz, 金額, 取引金額',
  ),
  debit: words('debit, debits, debit amount, dr, soll, sollbetrag, belastung, 借方, 借方金額'),
  credit: words('credit, credits, credit amount, cr, haben, habenbetrag, gutschrift, 貸方, 貸方金額'),
  type: words(
    'kind, type code, 種別コード, type, transaction type, txn type, entry type, art, buchungsart, belegart, vorgang, vorgangsart',
    '取引区分, 取引種別, 種別, 区分',
  ),
  reason: words('reason, reason code, grund, buchungsgrund, 理由, 事由'),
  display_note: words('display note, description, narrative, details, text, buchungstext, bezeichnung, 摘要'),
  note: words('note, notes, comment, remark, remarks, bemerkung, notiz, kommentar, 備考'),
  reference: words('reference, ref, payment reference, referenz, verwendungszweck, 照会番号, 参照番号'),
  payment_type: words(
    'method, pay method, payment type, payment method, zahlart, zahlungsart, zahlweg, 支払方法, 決済方法',
  ),
  product_code: words('product code, product, tariff, tarif, produkt, produktcode, 商品コード, 料金プラン'),
};

const NOTE: FieldTerms = {
  body: words(
    'body, note, notes, note text, text, comment, message, notiz, notiztext, bemerkung, inhalt',
    'kommentar, 内容, 備考, メモ, 本文',
  ),
  created_at: words(
    'logged, logged at, note created, created, created at, created on, created date, note date, timestamp, date, erstellt',
    'erstellt am, angelegt am, erfasst am, zeitpunkt, datum, 作成日時, 登録日時, 日時, 作成日',
  ),
  is_pinned: words('pinned, is pinned, sticky, angeheftet, wichtig, ピン留め, 重要'),
  unpin_at: words('pin until, unpin, unpin at, pinned until, angeheftet bis, ピン留め期限'),
  document_paths: words(
    'document, document path, file, file path, attachment, dokument, datei, dateipfad, anhang, pfad',
    '添付, 添付ファイル, ファイル',
  ),
};

const STATEMENT: FieldTerms = {
  bill_period_from_date: words(
    'from, from date, period from, period start, bill from, start date, bill period start, von',
    'zeitraum von, abrechnung von, abrechnungszeitraum von, beginn, 開始日, 期間開始日, 請求期間開始',
  ),
  bill_period_to_date: words(
    'to, to date, period to, period end, bill to, end date, bill period end, bis, zeitraum bis',
    'abrechnung bis, abrechnungszeitraum bis, ende, 終了日, 期間終了日, 請求期間終了',
  ),
  statement_id: words(
    'statement id, statement no, bill id, bill no, invoice id, invoice no, invoice number',
    'rechnungsnummer, rechnungsnr, rechnungs nr, 請求書番号, 明細番号, 請求番号',
  ),
  issued_date: words(
    'issued, issue date, issued date, invoice date, bill date, rechnungsdatum, ausstellungsdatum',
    '発行日, 請求日',
  ),
  number: words('number, statement number, bill number, nummer, 番号'),
  gross_amount: words(
    'gross, gross amount, total, total amount, amount, invoice amount, brutto, bruttobetrag',
    'rechnungsbetrag, gesamtbetrag, betrag, 請求金額, 合計金額, 金額',
  ),
  statement_path: words(
    'path, file, filename, file name, pdf, statement path, document, datei, dateiname, pfad, ファイル名',
    'ファイル',
  ),
};

const PAYMENT_INSTRUCTION: FieldTerms = {
  vendor: words(
    'vendor, provider, payment vendor, payment provider, anbieter, zahlungsdienstleister, 決済代行',
  ),
  reference: words(
    'reference, instruction reference, mandate, mandate reference, token, mandat, mandatsreferenz',
    'referenz, 参照番号, 口座振替番号',
  ),
  type: words(
    'type, instruction type, payment type, payment method, art, zahlart, zahlungsart, 支払方法, 種別',
  ),
};

export const HEADER_TERMS: Readonly<Record<Resource, FieldTerms>> = {
  notes: { ...ACCOUNT, ...NOTE },
  transactions: { ...ACCOUNT, ...TRANSACTION },
  statements: { ...ACCOUNT, ...STATEMENT },
  'payment-instructions': { ...ACCOUNT, ...PAYMENT_INSTRUCTION },
};

/**
 * A name without the differences between two ways to write it: case, width, umlauts, spaces and marks, a unit in brackets, a
 * currency behind it.
 */
export function normalName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[([].*?[)\]]/g, ' ')
    .replaceAll(/\b(in )?(eur|gbp|aud|usd|chf|jpy)\b|[€£¥$]/g, ' ')
    .replaceAll('ß', 'ss')
    .replaceAll(/([aou])\u0308?e(?=[^aeiou])/g, '$1')
    .normalize('NFKD')
    .replaceAll(/(?<=[a-z])\p{M}/gu, '')
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
