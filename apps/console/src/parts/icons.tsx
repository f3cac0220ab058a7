import type { IconProps } from '@hawser/ui'
import type { ReactNode } from 'react'

/** The icons that the modal has no use for, on the same grid of 24 px and with the same stroke. */
function Icon({ size = 20, children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      className="hw-icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export function OverviewIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4 13h6V4H4zM14 20h6v-9h-6zM14 4v3h6V4zM4 17v3h6v-3z" />
    </Icon>
  )
}

export function ServerIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.5h.01M8 16.5h.01" />
    </Icon>
  )
}

export function ChainIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="6" cy="6" r="2.5" />
      <circle cx="18" cy="6" r="2.5" />
      <circle cx="12" cy="18" r="2.5" />
      <path d="M8.5 6h7M7.3 8.2l3.5 7.5M16.7 8.2l-3.5 7.5" />
    </Icon>
  )
}

export function ChartIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4 20h16M7 16v-4M12 16V6M17 16v-7" />
    </Icon>
  )
}

export function ProjectIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4 6.5h16v12H4zM4 10h16M7 8.2h.01" />
    </Icon>
  )
}

export function PaletteIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 4a8 8 0 1 0 0 16c1.4 0 1.8-1 1.4-2-.6-1.5.3-2.6 1.8-2.6H17a3 3 0 0 0 3-3C20 7.5 16.4 4 12 4z" />
      <path d="M8 11h.01M11 7.8h.01M15.5 9h.01" />
    </Icon>
  )
}

export function LogIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M6 4h12v16H6zM9 8h6M9 12h6M9 16h3" />
    </Icon>
  )
}

export function MenuIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4 7h16M4 12h16M4 17h16" />
    </Icon>
  )
}

export function DownloadIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14" />
    </Icon>
  )
}
