import type { CommandContext } from '../command.ts';
import { totalsOfRequests } from '../push/plan.ts';
import type { SendingPlan } from '../render/push-document.ts';
import type { RunFile } from '../run-file/run-file.ts';

/** What a push of a staged run would send, and where to as far as that is known. */
export async function sendingPlan(run: RunFile, context: CommandContext): Promise<SendingPlan> {
  const { largest, ...totals } = totalsOfRequests(run.header.resource, run.plannedRequests());
  const target = (await context.settings()).get('baseUrl') ?? null;
  return { target, ...totals, largest_request: largest };
}
