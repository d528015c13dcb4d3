/** A mutant that no test finds: in a line of a file, the code and what replaced it, and why that is right. */
export type Survivor = { file: string; line: string; from: string; to: string; why: string }

/** What identifies a mutant. Line numbers change; long code is cut. */
export function nameOf({ file, line, from, to }: Omit<Survivor, 'why'>): string {
  const short = (code: string): string => code.replaceAll(/\s+/g, ' ').slice(0, 60)
  return `${file}: ${line} | ${short(from)} → ${short(to)}`
}
