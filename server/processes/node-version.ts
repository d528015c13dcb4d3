import { StartupError } from '#server/platform/startup-error.ts'

/** Refuses every Node except the one installed by npm: another may lack features or behave differently. */
export function assertNodeVersion(version = process.version): void {
  if (version.startsWith('v24.')) return
  throw new StartupError(
    `Cotton Farm needs Node 24 and this is ${version}: use "npm start", or node_modules/.bin/node instead of node.`,
  )
}
