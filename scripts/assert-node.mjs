/** Exits unless the Node that npm installed runs the program. npm silently falls back to the host's Node. */
export function assertNode() {
  if (process.version.startsWith('v24.')) return
  process.stderr.write(
    `Cotton Farm needs Node 24 and this is ${process.version}: use "npm start", "npm run dev" or "npm test", which bring it.\n`,
  )
  process.exit(1)
}
