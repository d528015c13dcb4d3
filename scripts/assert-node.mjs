/** Ends the program unless the Node that npm brought runs it; the host's own is what npm falls back to without a word. */
export function assertNode() {
  if (process.version.startsWith('v24.')) return
  process.stderr.write(
    `Cotton Farm needs Node 24 and this is ${process.version}: use "npm start", "npm run dev" or "npm test", which bring it.\n`,
  )
  process.exit(1)
}
