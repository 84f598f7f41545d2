import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { withListItem } from '../../core/yaml/yaml-list.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';
import { readTextFile } from '../../files/text-file.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { escapedLines } from '../output/text/text.ts';
import { nearestConfig, userConfigPath, userTree } from '../settings/config-file.ts';
import { TRUST } from '../settings/config-tree.ts';
import { isTrusted, trustedFolders } from '../settings/trusted-folders.ts';

export const command: CommandDeclaration<object> = {
  description:
    "Adds the folder of the nearest dataimport.config.yaml to `trust` in the user's own configuration file. Commands then obey the file, whoever owns it, and run its apiKeyCommand. Read the file first.",
  examples: ['dataimport config trust'],
  settings: [],
  declare: () => undefined,
  run,
};

/** Does not read the file that it trusts: the file may be refused so far. @throws AppError `config_nothing_to_trust`, `file_not_writable` */
async function run(_options: object, { io }: CommandContext): Promise<CommandEnd> {
  const file = nearestConfig(io.cwd);
  if (file === undefined) throw new AppError('config_nothing_to_trust', { folder: io.cwd });
  const own = await userConfigPath(io);
  const instead = `DATAIMPORT_TRUST can name the folder ${dirname(file)} instead`;
  if (own === undefined) {
    const reason = `this user has no home folder; ${instead}`;
    throw new AppError('file_not_writable', { file: 'your own configuration file', reason });
  }
  const tree = await userTree(io);
  const isNew = !isTrusted(file, trustedFolders(tree?.trust ?? [], { env: {}, homeDir: io.homeDir }));
  if (isNew) {
    const text = withListItem(tree ? readTextFile(own) : '', TRUST, dirname(file));
    try {
      makePrivateFolder(dirname(own));
      writeFileSync(own, text, { mode: 0o600 });
    } catch (error) {
      const reason = `${fileReason(error)}; ${instead}`;
      throw new AppError('file_not_writable', { file: own, reason }, error);
    }
  }
  return { exit: 'OK', result: shownTrust({ file, own, isNew }) };
}

/** A configuration file that the user trusts, and the file that remembers this. */
interface TrustedConfig {
  readonly file: string;
  readonly own: string;
  readonly isNew: boolean;
}

const shownTrust = shownAs<TrustedConfig>({
  document: ({ file, own, isNew }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    file,
    remembered_in: own,
    new: isNew,
  }),
  text: ({ file, own, isNew }) =>
    escapedLines([
      isNew ? `trusted from now on: ${file}` : `trusted already: ${file}`,
      `To take it back, remove its folder from \`trust\` in ${own}`,
    ]),
});
