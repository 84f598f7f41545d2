import { describe, expect, test } from 'vitest';
import { matchColumns } from '../../../../src/cli/inspect/draft/header-match.ts';
import type { ColumnProfile } from '../../../../src/cli/inspect/column/column-profile.ts';
import { type Resource } from '../../../../src/core/contract/resources.ts';

/** The header that a draft takes for each field. */
function headersFor(resource: Resource, header: string): Readonly<Record<string, unknown>> {
  const columns = header.split(';').map((name) => ({ name, kinds: [{}] }) as ColumnProfile);
  return Object.fromEntries(
    [...matchColumns(resource, columns)].map(([field, found]) => [
      field,
      found.map(({ name }) => name).join(' and '),
    ]),
  );
}

describe('a draft finds the fields of transactions by the headers of', () => {
  test.each([
    ['English', 'Account No;Transaction ID;Posting Date;Amount;Description'],
    ['German', 'Kundennummer;Belegnummer;Buchungsdatum;Betrag;Bezeichnung'],
    ['Dutch', 'Klantnummer;Transactienummer;Boekingsdatum;Bedrag;Omschrijving'],
    ['French', "N° client;Numéro de transaction;Date d'opération;Montant;Libellé"],
    ['Spanish', 'Número de cliente;Número de operación;Fecha de operación;Importe;Concepto'],
    ['Italian', 'Codice cliente;Numero operazione;Data operazione;Importo;Descrizione'],
    ['Polish', 'Numer klienta;Nr transakcji;Data księgowania;Kwota;Opis'],
  ])('%s', (_, header) => {
    const [account, id, date, amount, note] = header.split(';');
    expect(headersFor('transactions', header)).toEqual({
      external_account_number: account,
      transaction_id: id,
      transaction_date: date,
      amount,
      note,
    });
  });
});

describe('a draft finds the fields of statements by the headers of', () => {
  test.each([
    ['Dutch', 'Klantnummer;Factuurnummer;Periode van;Periode t/m;Factuurdatum;Factuurbedrag;Bestandsnaam'],
    ['French', 'Numéro client;N° de facture;Du;Au;Date de facture;Montant TTC (EUR);Nom du fichier'],
    ['Spanish', 'Nº cliente;Nº factura;Desde;Hasta;Fecha de emisión;Importe total;Archivo'],
    ['Italian', 'Numero cliente;Numero fattura;Dal;Al;Data emissione;Totale fattura;Nome file'],
    ['Polish', 'Nr klienta;Numer faktury;Od;Do;Data wystawienia;Kwota brutto;Plik'],
  ])('%s', (_, header) => {
    const [account, id, from, to, issued, amount, path] = header.split(';');
    expect(headersFor('statements', header)).toEqual({
      external_account_number: account,
      statement_id: id,
      bill_period_from_date: from,
      bill_period_to_date: to,
      issued_date: issued,
      gross_amount: amount,
      statement_path: path,
    });
  });
});

describe('a draft finds the fields of notes by the headers of', () => {
  test.each([
    ['Dutch', 'Klantnummer;Opmerking;Aangemaakt op;Bijlage'],
    ['French', 'Code client;Commentaire;Date de création;Pièce jointe'],
    ['Spanish', 'Código de cliente;Observaciones;Fecha de creación;Archivo'],
    ['Italian', 'Numero cliente;Commento;Data creazione;Allegato'],
    ['Polish', 'Kod klienta;Uwagi;Data utworzenia;Załącznik'],
  ])('%s', (_, header) => {
    const [account, body, created, document] = header.split(';');
    expect(headersFor('notes', header)).toEqual({
      external_account_number: account,
      body,
      created_at: created,
      document_paths: document,
    });
  });
});

describe('a draft finds the fields of payment instructions by the headers of', () => {
  test.each([
    ['Dutch', 'Klantnummer;Betaaldienstverlener;Machtigingskenmerk;Betaalwijze'],
    ['French', 'Code client;Prestataire de paiement;Référence du mandat;Mode de paiement'],
    ['Spanish', 'Código de cliente;Proveedor de pagos;Referencia del mandato;Forma de pago'],
    ['Italian', 'Numero cliente;Fornitore di pagamento;Riferimento mandato;Metodo di pagamento'],
    ['Polish', 'Kod klienta;Dostawca płatności;Numer mandatu;Sposób płatności'],
  ])('%s', (_, header) => {
    const [account, vendor, reference, type] = header.split(';');
    expect(headersFor('payment-instructions', header)).toEqual({
      external_account_number: account,
      vendor,
      reference,
      type,
    });
  });
});
