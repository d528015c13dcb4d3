import type { CommandContext } from '#server/ops/command.ts'
import { runCommand } from '#server/ops/ops.ts'

/** Runs an operator's command that needs no signature, and returns its output. */
export async function ops(
  { db, clock }: Pick<CommandContext, 'db' | 'clock'>,
  ...args: string[]
): Promise<string> {
  const output: string[] = []
  await runCommand(args, { db, clock, say: (line) => void output.push(line) })
  return output.join('\n')
}
