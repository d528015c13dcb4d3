import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

type Node = { type: string; [key: string]: unknown }

const WEB = join(import.meta.dirname, '..')

/** Attributes whose text players read or hear. */
const SPOKEN =
  /^(aria-(label|description|valuetext|roledescription|placeholder)|alt|title|placeholder|label|text|caption|sub)$/

/** Two words in a row: prose. A class, a path or a key has none. */
const PROSE = /[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}/

/** Attributes of two or more words that players do not read. */
const TECHNICAL = /^(rel|preserveAspectRatio|sizes|viewBox)$/

/** Not sentences: a media type, media queries, selectors and the name of a wallet. */
const NAMES = [
  'audio/ogg; codecs=opus',
  '(pointer: coarse), (hover: none) and (pointer: fine)',
  '(prefers-reduced-motion: reduce)',
  'img, svg',
  'a[href], button, input, select, summary, [role="tab"], [role="button"]',
  'Local test wallet',
]

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )

/** The text of a literal or a template; null for anything else. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'JSXText') return String(node.value)
  if (node.type !== 'TemplateLiteral') return null
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(' … ')
}

/** The texts in a component: in its markup, in its accessible names, and prose anywhere else. */
export function findTexts(source: string, name = 'part.tsx'): string[] {
  const found: string[] = []
  const visit = (node: Node, isShown: boolean): void => {
    // Texts for developers, and strings that are not texts.
    if (['ImportDeclaration', 'ThrowStatement'].includes(node.type) || isLogged(node)) return
    if (node.type === 'JSXAttribute' && TECHNICAL.test(nameOf(node))) return
    const text = textOf(node)?.trim()
    const isSaid = text && (isShown || node.type === 'JSXText' ? /[A-Za-z]/.test(text) : PROSE.test(text))
    if (isSaid && !NAMES.includes(text)) found.push(text)
    for (const child of childrenOf(node)) visit(child, showsIn(node, child, isShown))
  }
  visit(parseSync(name, source).program as unknown as Node, false)
  return found
}

const nameOf = (attribute: Node): string => String((attribute.name as Node).name)

function isLogged({ type, callee }: Node): boolean {
  if (type !== 'CallExpression') return false
  const { object } = callee as { object?: { name?: string } }
  return object?.name === 'console'
}

/** Whether a child is text in the markup. It may be inside a conditional expression, but not inside a call. */
function showsIn(node: Node, child: Node, isShown: boolean): boolean {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return child.type === 'JSXExpressionContainer'
    case 'JSXAttribute':
      return child !== node.name && SPOKEN.test(nameOf(node))
    case 'ConditionalExpression':
      return isShown && child !== node.test
    case 'JSXExpressionContainer':
    case 'LogicalExpression':
      return isShown
    default:
      return false
  }
}

test('every text that a player reads or hears is in the catalogue (X-29)', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path) && !path.startsWith('messages/'),
  )
  expect(files.length).toBeGreaterThan(100)
  const own = files.flatMap((path) =>
    findTexts(readFileSync(join(WEB, path), 'utf8'), path).map((text) => `${path}: ${text}`),
  )
  expect(own).toEqual([])
})

test('the check sees text wherever it hides', () => {
  expect(findTexts('const a = <p>Hello</p>')).toEqual(['Hello'])
  expect(findTexts('const a = <p>{ready ? `Ready` : null}</p>')).toEqual(['Ready'])
  expect(findTexts('const a = <img alt="A cow" className="big cow" />')).toEqual(['A cow', 'big cow'])
  expect(findTexts('const a = <b aria-label={on ? "On" : words.off} id="on" />')).toEqual(['On'])
  expect(findTexts('say({ text: "Nobody is here." })')).toEqual(['Nobody is here.'])
  expect(findTexts('const a = `You have ${n} left of it`')).toHaveLength(1)
})

test('the check lets names, keys and bugs pass', () => {
  const fine = ['<p id="a" className={styles.b}>{words.c} · {n} ×</p>', 'get("/api/x", "some-key")']
  for (const source of fine) expect(findTexts(`const a = ${source}`)).toEqual([])
  for (const source of ['throw new Error("no such thing")', 'console.error("it broke again")'])
    expect(findTexts(source)).toEqual([])
})
