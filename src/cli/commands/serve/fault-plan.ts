/**
 * The plan of faults in a file, as `PUT /_local/faults` takes it: read as `serve --fault-file` does, so that what is wrong is
 * told with its lines.
 * @throws AppError `file_not_readable`, `fault_plan_invalid`
 */
export async function faultPlanIn(file: string): Promise<object> {
  const { readPlanFile } = await import('../../../server/faults/plan-file.ts');
  return readPlanFile(file);
}
