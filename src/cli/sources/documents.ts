import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../core/app-error.ts';
import { namesDocuments } from '../../core/contract/document-paths.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { OnClose } from '../command/command-ports.ts';
import { pathOfListingLine } from '../push/stage/listing-line.ts';
import type { DocumentListing } from '../push/ports/documents.ts';

/**
 * Reads a listing of documents (`--documents`), line by line, onto the disk.
 * @throws AppError `file_not_readable`; `usage` for a resource without documents; `listing_empty`
 */
export async function documentListing(
  file: string,
  resource: Resource,
  { cwd, onClose }: { cwd: string; onClose: OnClose },
): Promise<DocumentListing & { readonly sha256: string }> {
  if (!namesDocuments(resource))
    throw new AppError('usage', { reason: `--documents: ${resource} name no documents`, command: 'check' });
  const { openListingStore } = await import('../run-file/scratch/document-listing.ts');
  const store = openListingStore();
  onClose(() => store.close());
  const hash = createHash('sha256');
  try {
    for await (const line of linesOf(resolve(cwd, file))) {
      const path = pathOfListingLine(line);
      if (path === undefined) continue;
      store.add(path);
      hash.update(`${path}\n`);
    }
  } catch (error) {
    throw new AppError('file_not_readable', { file, reason: fileReason(error) }, error);
  }
  const listing = store.listing(file);
  if (listing.counts().listed === 0) throw new AppError('listing_empty', { file });
  return { ...listing, sha256: hash.digest('hex') };
}

/** The lines of a text in UTF-8, packed with gzip or not. Only a part of the text is in memory. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const bytes = createReadStream(path);
  const input = path.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}
