import { Skeleton } from '../feedback/Skeleton.tsx'

export interface SkeletonRowsProps {
  count: number
  /** Announced while loading: "Loading tokens". */
  label: string
}

const widths = [112, 84, 132, 96]

/** Placeholders of rows that are loading. */
export function SkeletonRows({ count, label }: SkeletonRowsProps) {
  return (
    <div className="hw-list" data-appearance="plain" role="status">
      <span className="hw-visually-hidden">{label}</span>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div className="hw-row" key={row} data-skeleton="true">
          <Skeleton shape="circle" width={40} height={40} />
          <span className="hw-row-text">
            <Skeleton width={widths[row % widths.length] ?? 96} height={14} />
            <Skeleton width={64} height={12} />
          </span>
          <Skeleton width={52} height={14} />
        </div>
      ))}
    </div>
  )
}
