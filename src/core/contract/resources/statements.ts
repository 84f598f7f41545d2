import { STATEMENT_RULES } from '../../rules/statement-rules.ts';
import { account, envelope } from '../account.ts';
import { documentsOfStatement } from '../document-paths.ts';
import type { RecordIdentity, ResourceDescriptor } from '../descriptor.ts';
import { statement, statementsResponse, type Statement } from '../statement.ts';

export const statements = {
  kind: 'statement',
  endpoint: {
    name: 'createStatements',
    method: 'POST',
    path: '/v1/data-import/historical-statements/create/',
    request: envelope('statements'),
    response: statementsResponse,
    success: [201, 200],
  },
  list: 'statements',

  account,
  schema: statement,
  rules: STATEMENT_RULES,
  documents: documentsOfStatement,
  identity: statementIdentity,

  idField: 'statement_id',
  typeField: null,
  amount: { field: 'gross_amount', unit: 'minor' },
  dates: [
    { field: 'bill_period_from_date', upTo: 'a_year' },
    { field: 'bill_period_to_date', upTo: 'a_year' },
    { field: 'issued_date', upTo: 'a_year' },
  ],
  items: null,

  // Statements carry no status. An echoed statement was created (interface.md 4.4).
  answer: {
    list: 'statements',
    record: null,
    statuses: null,
    echoed: {
      gross_amount: 'amount',
      bill_period_from_date: 'date',
      bill_period_to_date: 'date',
      issued_date: 'date',
      number: 'text',
    },
  },
  refusal: { mayKeepPart: false, field: null, final: null },
  // The platform refuses a whole request for one statement that exists, where it looks for them at all.
  lostAnswer: {
    oneByOne: true,
    present: { code: 'historical_statement_already_exists' },
    isUpToOperator: true,
  },
  repetition: {
    code: 'duplicate_statement_ids',
    field: 'statement_id',
    isKeyedById: true,
    exactIsHarmless: false,
  },

  datesInOrder: {
    field: 'issued_date',
    notBefore: 'bill_period_from_date',
    code: 'issued_before_bill_period',
  },
  datesTogether: [
    { field: 'bill_period_to_date', after: 'bill_period_from_date' },
    { field: 'issued_date', after: 'bill_period_to_date' },
  ],
  headerTerms: {
    bill_period_from_date:
      'from, from date, period from, period start, bill from, start date, bill period start, von, ' +
      'zeitraum von, abrechnung von, abrechnungszeitraum von, beginn, 開始日, 期間開始日, 請求期間開始, ' +
      'van, periode van, begindatum, startdatum, du, période du, date de début, début de période, desde, ' +
      'fecha desde, fecha de inicio, inicio del periodo, dal, periodo dal, data inizio, inizio periodo, od, ' +
      'okres od, data od, początek okresu',
    bill_period_to_date:
      'to, to date, period to, period end, bill to, end date, bill period end, bis, zeitraum bis, ' +
      'abrechnung bis, abrechnungszeitraum bis, ende, 終了日, 期間終了日, 請求期間終了, ' +
      'tot, t/m, tot en met, periode tot, periode t/m, einddatum, au, période au, date de fin, fin de période, ' +
      'hasta, fecha hasta, fecha de fin, fin del periodo, al, periodo al, data fine, fine periodo, do, ' +
      'okres do, data do, koniec okresu',
    statement_id:
      'statement id, statement no, bill id, bill no, invoice id, invoice no, invoice number, ' +
      'rechnungsnummer, rechnungsnr, rechnungs nr, 請求書番号, 明細番号, 請求番号, ' +
      'factuurnummer, factuurnr, numéro de facture, n° facture, n° de facture, id facture, número de factura, ' +
      'nº factura, id de factura, numero fattura, n. fattura, numero bolletta, id fattura, numer faktury, ' +
      'nr faktury, id faktury',
    issued_date:
      'issued, issue date, issued date, invoice date, bill date, rechnungsdatum, ausstellungsdatum, ' +
      '発行日, 請求日, ' +
      "factuurdatum, uitgiftedatum, date de facture, date de facturation, date d'émission, fecha de factura, " +
      'fecha factura, fecha de emisión, data fattura, data emissione, data di emissione, data faktury, ' +
      'data wystawienia',
    number: 'number, statement number, bill number, nummer, 番号, ' + 'numéro, numer',
    gross_amount:
      'gross, gross amount, total, total amount, amount, invoice amount, brutto, bruttobetrag, ' +
      'rechnungsbetrag, gesamtbetrag, betrag, 請求金額, 合計金額, 金額, ' +
      'bruto, brutobedrag, factuurbedrag, totaalbedrag, bedrag, montant, montant ttc, montant total, total ttc, ' +
      'importe, importe bruto, importe total, total factura, importo, importo lordo, importo totale, ' +
      'totale fattura, kwota, kwota brutto, wartość brutto, kwota faktury, ' +
      'total incl vat, total including vat, total inc vat, amount incl vat, total incl gst, total inc gst, ' +
      'total including gst, gross total, total gross, total payable, gesamtbetrag brutto, gesamt brutto, summe brutto, ' +
      'betrag inkl mwst, betrag inkl ust, rechnungsbetrag brutto, totaal incl btw, bedrag incl btw, totaal inclusief btw, ' +
      'factuurbedrag incl btw, totaal bruto, montant total ttc, prix ttc, total toutes taxes comprises, ' +
      'importe total con iva, total con iva, total iva incluido, importe con iva, total bruto, totale iva inclusa, ' +
      'importo iva inclusa, importo totale iva inclusa, totale ivato, totale lordo, razem brutto, suma brutto, ' +
      'kwota z vat, należność brutto, do zapłaty',
    statement_path:
      'path, file, filename, file name, pdf, statement path, document, datei, dateiname, pfad, ファイル名, ' +
      'ファイル, ' +
      'bestand, bestandsnaam, pad, fichier, nom du fichier, chemin, archivo, fichero, nombre del archivo, ruta, ' +
      'percorso, nome file, plik, nazwa pliku, ścieżka',
  },
} as const satisfies ResourceDescriptor<Statement>;

/** deployments.md, "Rules named by deployments". */
function statementIdentity(record: Statement): RecordIdentity {
  return { key: record.statement_id, variant: undefined };
}
