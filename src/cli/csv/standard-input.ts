import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** What is piped into the program, and where it may be kept for as long as it is needed. */
export interface StandardInput {
  readonly stream: Readable;
  readonly spoolFolder: string;
}

/**
 * Copies standard input to a file that nobody else can read, because it is read more than once. The name of the file is
 * removed at once: its content goes away with the handle, also when the program is killed.
 */
export async function spooled({ stream, spoolFolder }: StandardInput): Promise<FileHandle> {
  const folder = await mkdtemp(join(spoolFolder, 'dataimport-'));
  try {
    const path = join(folder, 'stdin');
    const handle = await open(path, 'wx+', 0o600);
    try {
      await rm(path);
      await handle.writeFile(stream);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
