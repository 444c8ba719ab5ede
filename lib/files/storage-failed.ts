import { Failure } from '../failure.ts';

/**
 * A refusal of the file system as a Failure `storage_failed`, 507 for a full disk.
 * @param subject What could not be written, as the start of a sentence. Never a path.
 */
export function storageFailed(subject: string, cause: unknown): Failure {
  const code = (cause as { code?: string }).code ?? '';
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const reason = isFull ? 'the disk is full' : `the disk refused it (${code || 'unknown'})`;
  return new Failure('storage_failed', `${subject} could not be written: ${reason}.`, {
    status: isFull ? 507 : 500,
    cause,
  });
}

/** Runs work that writes files; its errors become `storageFailed`. */
export async function writing<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storageFailed(subject, error);
  }
}
