/** What is read of the file that Vitest's JSON reporter writes. */
export type Report = {
  numPassedTests: number
  testResults: { assertionResults: { status: string; fullName: string }[] }[]
}

type Run = { report: Report | null; status: number | null; output: string }

/** The first test that failed; null if all passed. Throws if none ran to its end, which says nothing about a mutant. */
export function judgeRun({ report, status, output }: Run): string | null {
  const tests = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? []
  const failed = tests.find((each) => each.status === 'failed')
  if (failed) return failed.fullName
  if (!report || status !== 0 || report.numPassedTests === 0)
    throw new Error(`No test failed, but the run did not succeed either:\n${output}`)
  return null
}
