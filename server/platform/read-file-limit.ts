/** The limit of open files and connections of this process; infinite if the system does not report one. */
export function readFileLimit(): number {
  // Otherwise the report resolves the host names of all open connections.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | 'unlimited' } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}
