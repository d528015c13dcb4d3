/** How many files and connections this process may have open; infinite where the system does not say. */
export function readFileLimit(): number {
  // The report would look up the names of all open connections, too.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | 'unlimited' } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}
