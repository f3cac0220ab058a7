import { Button, EmptyState, Skeleton } from '@hawser/ui'
import type { ReactNode } from 'react'
import type { Failure } from '../api/failure.ts'
import { texts } from '../texts.ts'
import { Failed } from './Failed.tsx'

/** A column of a table. */
export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column. */
  readonly align?: 'start' | 'end'
  /** The column that names the row: its header for screen readers, and its title on a phone. */
  readonly isName?: boolean
  /** Whether a title for screen readers is enough, as of a column of buttons. */
  readonly hideTitle?: boolean
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while they are not known. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row, index: number) => string
  failure?: Failure | undefined
  onRetry?: () => void
  isLoading?: boolean
  hasMore?: boolean
  onMore?: () => void
  /** A line alone is for a table beside others in one card. */
  empty: { icon: ReactNode; title: string; text: string; action?: ReactNode } | { line: ReactNode }
  'data-testid'?: string
}

const skeletonRows = 5
const widths = [132, 96, 72, 112]

/** A list as a table; on a phone each row is a block with the titles of its cells. It has its own loading, empty and error states. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, failure, isLoading, hasMore, onMore, onRetry = () => undefined, empty } = props
  if (!rows && failure) return <Failed failure={failure} onRetry={onRetry} />
  if (!rows) return <LoadingRows columns={props.columns.length} label={props.label} />
  if (rows.length === 0) {
    if ('line' in empty) return <p className="card-form">{empty.line}</p>
    return (
      <EmptyState icon={empty.icon} title={empty.title} action={empty.action}>
        {empty.text}
      </EmptyState>
    )
  }
  return (
    <>
      <Rows {...props} rows={rows} />
      {failure && <Failed failure={failure} onRetry={onMore ?? onRetry} />}
      {hasMore && !failure && (
        <div className="more">
          <Button size="small" loading={isLoading ?? false} onClick={onMore}>
            {texts.more}
          </Button>
        </div>
      )}
    </>
  )
}

function Rows<Row>({
  label,
  columns,
  rows,
  rowKey,
  ...rest
}: DataTableProps<Row> & { rows: readonly Row[] }) {
  return (
    <table className="table" aria-label={label} data-testid={rest['data-testid']}>
      <thead>
        <tr>
          {columns.map(({ key, title, align, hideTitle }) => (
            <th key={key} scope="col" data-align={align}>
              {hideTitle ? <span className="hw-visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={rowKey(row, index)}>
            {columns.map(({ key, title, align, cell, isName, hideTitle }) => {
              const content = (
                <>
                  {!isName && !hideTitle && (
                    <span className="cell-title" aria-hidden="true">
                      {title}
                    </span>
                  )}
                  <span className="cell">{cell(row)}</span>
                </>
              )
              return isName ? (
                <th key={key} scope="row" data-align={align}>
                  {content}
                </th>
              ) : (
                <td key={key} data-align={align}>
                  {content}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function LoadingRows({ columns, label }: { columns: number; label: string }) {
  return (
    <div className="loading-rows" role="status">
      <span className="hw-visually-hidden">{`${texts.loading}: ${label}`}</span>
      {[...Array(skeletonRows).keys()].map((row) => (
        <div key={row} className="loading-row" aria-hidden="true">
          {[...Array(Math.min(columns, widths.length)).keys()].map((column) => (
            <Skeleton key={column} width={widths[(row + column) % widths.length] ?? 96} height={14} />
          ))}
        </div>
      ))}
    </div>
  )
}
