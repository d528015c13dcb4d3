import { parseSync } from 'vite'

type Node = { type: string; [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

// The fields of a syntax tree in which a program declares names. References need no check: their declaration has one.
const DECLARING: Record<string, string[]> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  CatchClause: ['param'],
  Property: ['key'],
  PropertyDefinition: ['key'],
  MethodDefinition: ['key'],
  TSInterfaceDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  TSPropertySignature: ['key'],
  TSMethodSignature: ['key', 'params'],
  TSFunctionType: ['params'],
  TSParameterProperty: ['parameter'],
}

/** The names that a file declares: variables, parameters, functions, types and keys of objects. */
export function readDeclaredNames(path: string, source: string): string[] {
  const found = new Set<string>()
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each)
    else if (isNode(value)) {
      if (value.type === 'Identifier') found.add(String(value.name))
      else if (value.type === 'AssignmentPattern') collect(value.left)
      else if (value.type === 'RestElement') collect(value.argument)
      else if (value.type === 'ArrayPattern') collect(value.elements)
      else if (value.type === 'ObjectPattern') collect(value.properties)
      // `{ theirs: ours }`: the key is declared elsewhere.
      else if (value.type === 'Property') collect(value.value)
    }
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    else if (isNode(value)) {
      const inPattern = value.type === 'ObjectPattern'
      if (!inPattern && value.computed !== true)
        for (const field of DECLARING[value.type] ?? []) collect(value[field])
      for (const [field, child] of Object.entries(value)) {
        // The keys of a pattern are not declarations, but its default values may contain some.
        if (inPattern && field === 'properties') visitPattern(child)
        else visit(child)
      }
    }
  }
  const visitPattern = (properties: unknown): void => {
    for (const property of properties as Node[])
      visit(property.type === 'Property' ? property.value : property)
  }
  visit(parseSync(path, source).program)
  return [...found]
}

/** The comments of a file, as one text. */
export const readComments = (path: string, source: string): string =>
  parseSync(path, source)
    .comments.map(({ value }) => value)
    .join('\n')

/** The words of a name in camel case, kebab case or upper case, in lower case. */
export const splitName = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
