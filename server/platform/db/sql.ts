import { CLASSES, JOURNAL_KINDS, WORLD_ACCOUNTS } from '#game/credit.ts'

/** One named statement. Postgres prepares it once for each connection. */
export type Sql = { readonly name: string; readonly text: string }

/** The enum types of the schema, with their values in its order. */
export const ENUMS = {
  credit_class: CLASSES,
  ledger_account: [...CLASSES, ...WORLD_ACCOUNTS],
  move_kind: JOURNAL_KINDS,
} as const

/** What a parameter of each Postgres type takes. */
type ScalarTypes = {
  text: string
  uuid: string
  boolean: boolean
  smallint: number
  integer: number
  bigint: bigint
  /** A whole number of any size. */
  numeric: bigint
  timestamptz: Date
  /** As `YYYY-MM-DD`. */
  date: string
  bytea: Uint8Array
  /** JSON text, or an object to be written as JSON. */
  jsonb: string | object
} & { [Name in keyof typeof ENUMS]: (typeof ENUMS)[Name][number] }
type Scalar = keyof ScalarTypes
type ColumnType = Scalar | `${Scalar} | null`
type ParamType = ColumnType | `${Scalar}[]` | `${Scalar}[] | null`
type Columns = Readonly<Record<string, ColumnType>>

/** A parameter that carries many rows: one array for each column. */
type Rowset<C extends Columns> = { readonly columns: C }

type Declared = Readonly<Record<string, ParamType | Rowset<Columns>>>

type ValueOf<T> = T extends `${infer Type} | null`
  ? ValueOf<Type> | null
  : T extends `${infer Type extends Scalar}[]`
    ? readonly ScalarTypes[Type][]
    : T extends Scalar
      ? ScalarTypes[T]
      : never
type RowOfColumns<C> = { readonly [Column in keyof C]: ValueOf<C[Column]> }
type ParamsOf<D> = {
  readonly [Name in keyof D]: D[Name] extends Rowset<infer C> ? readonly RowOfColumns<C>[] : ValueOf<D[Name]>
}

/** The type of the rows that a statement returns. It exists for the compiler only. */
export type RowType<Row> = { readonly rowType?: Row }

/** A statement whose parameters and rows the compiler knows. */
export type Statement<Params, Row> = Sql & {
  readonly row: RowType<Row>
  /** The values for the driver, in the order of the placeholders. */
  readonly encode: (params: Params) => unknown[]
}

/** The arguments after a statement: its parameters by name, or none. */
export type Arguments<Params> = keyof Params extends never ? [] : [params: Params]

type Declaration<D extends Declared, Row> = {
  /** Unique in the whole server. */
  name: string
  params?: D
  row?: RowType<Row>
  /** The text. It receives a placeholder with its cast, such as `$1::text[]`, for each parameter. */
  text: string | ((placeholders: { readonly [Name in keyof D]: string }) => string)
}

/**
 * Declares a statement with the Postgres types of its parameters and the type of its rows.
 *
 * A `rowset` parameter `paid` becomes `unnest($1::text[], …) as paid (wallet, …)`, for use in a `from` clause.
 */
export function sql<D extends Declared = Record<never, never>, Row = unknown>(
  declaration: Declaration<D, Row>,
): Statement<ParamsOf<D>, Row> {
  const { name, params, text, row = {} } = declaration
  const { placeholders, encode } = bindParams(params ?? {})
  return {
    name,
    row,
    text: typeof text === 'string' ? text : text(placeholders as { [Name in keyof D]: string }),
    encode,
  }
}

/** Many rows as one parameter. Each row is an object with these columns. */
export function rowset<C extends Columns>(columns: C): Rowset<C> {
  return { columns }
}

/** The type of a statement's rows, for `row` of a declaration. */
export function rowOf<Row>(): RowType<Row> {
  return {}
}

type Params = Readonly<Record<string, unknown>>
type Rows = readonly Readonly<Record<string, unknown>>[]

function bindParams(declared: Declared) {
  const placeholders: Record<string, string> = {}
  const encoders: ((params: Params) => unknown)[] = []
  const bind = (type: string, read: (params: Params) => unknown): string => {
    const encodeValue = encoderOf(type)
    encoders.push((params) => encodeValue(read(params)))
    return `$${encoders.length}::${type}`
  }
  for (const [name, type] of Object.entries(declared)) {
    if (typeof type === 'string') {
      placeholders[name] = bind(type.replace(' | null', ''), (params) => params[name])
      continue
    }
    const columns = Object.entries(type.columns)
    const arrays = columns.map(([column, each]) =>
      bind(`${each.replace(' | null', '')}[]`, (params) => (params[name] as Rows).map((row) => row[column])),
    )
    const names = columns.map(([column]) => column)
    placeholders[name] = `unnest(${arrays.join(', ')}) as ${name} (${names.join(', ')})`
  }
  return { placeholders, encode: (params: Params = {}) => encoders.map((encode) => encode(params)) }
}

function encoderOf(type: string): (value: unknown) => unknown {
  if (!type.endsWith('[]')) return encodeScalar
  return (value) => (Array.isArray(value) ? value.map(encodeScalar) : value)
}

/** The value in a form that the driver sends unchanged. Throws for an object that JSON cannot represent. */
function encodeScalar(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !(value instanceof Date)
  return isObject && !ArrayBuffer.isView(value) ? JSON.stringify(value) : value
}
