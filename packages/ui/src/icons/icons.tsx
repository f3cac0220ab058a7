import { Icon, type IconProps } from './Icon.tsx'

export function CloseIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m6.5 6.5 11 11m0-11-11 11" />
    </Icon>
  )
}

export function BackIcon(props: IconProps) {
  return (
    <Icon {...props} direction="inline">
      <path d="m14.5 5.5-6.5 6.5 6.5 6.5" />
    </Icon>
  )
}

export function ChevronRightIcon(props: IconProps) {
  return (
    <Icon {...props} direction="inline">
      <path d="m9.5 6 6 6-6 6" />
    </Icon>
  )
}

export function ChevronDownIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m6 9.5 6 6 6-6" />
    </Icon>
  )
}

export function CheckIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Icon>
  )
}

export function SearchIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="11" cy="11" r="6.25" />
      <path d="m15.75 15.75 4 4" />
    </Icon>
  )
}

export function CopyIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="8.5" y="8.5" width="11" height="11" rx="3" />
      <path d="M15.5 8.5V7a2.5 2.5 0 0 0-2.5-2.5H7A2.5 2.5 0 0 0 4.5 7v6A2.5 2.5 0 0 0 7 15.5h1.5" />
    </Icon>
  )
}

export function PasteIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M9 5H7.5A2.5 2.5 0 0 0 5 7.5v10A2.5 2.5 0 0 0 7.5 20h9a2.5 2.5 0 0 0 2.5-2.5v-10A2.5 2.5 0 0 0 16.5 5H15" />
      <rect x="9" y="3" width="6" height="4" rx="1.5" />
    </Icon>
  )
}

export function HelpIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.75 9.6a2.3 2.3 0 1 1 3.3 2.1c-.7.35-1.05.8-1.05 1.55" />
      <path d="M12 16.1v.05" strokeWidth="2.4" />
    </Icon>
  )
}

export function AlertIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 8v4.5" />
      <path d="M12 15.9v.05" strokeWidth="2.4" />
    </Icon>
  )
}

export function InfoIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 16v-4.5" />
      <path d="M12 8.1v-.05" strokeWidth="2.4" />
    </Icon>
  )
}

export function ExternalIcon(props: IconProps) {
  return (
    <Icon {...props} direction="inline">
      <path d="M10 5.5H8A2.5 2.5 0 0 0 5.5 8v8A2.5 2.5 0 0 0 8 18.5h8a2.5 2.5 0 0 0 2.5-2.5v-2M14 5h5v5m-.5-4.5-7 7" />
    </Icon>
  )
}

export function SendIcon(props: IconProps) {
  return (
    <Icon {...props} direction="inline">
      <path d="M7 17 17 7m-8 0h8v8" />
    </Icon>
  )
}

export function ReceiveIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 5v11m-4.5-4.5L12 16l4.5-4.5M6 19.5h12" />
    </Icon>
  )
}

export function ArrowDownIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 5v14m-6-6 6 6 6-6" />
    </Icon>
  )
}

export function SettingsIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4.5 8h7m6 0h2M4.5 16h2m6 0h7" />
      <circle cx="14.5" cy="8" r="2.5" />
      <circle cx="9.5" cy="16" r="2.5" />
    </Icon>
  )
}

export function DisconnectIcon(props: IconProps) {
  return (
    <Icon {...props} direction="inline">
      <path d="M13.5 5H8a2.5 2.5 0 0 0-2.5 2.5v9A2.5 2.5 0 0 0 8 19h5.5M11 12h8.5m-3-3 3 3-3 3" />
    </Icon>
  )
}

export function WalletIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M18.5 8.5v-1A2.5 2.5 0 0 0 16 5H6.75a2.25 2.25 0 0 0 0 4.5H17a2.5 2.5 0 0 1 2.5 2.5v4.5A2.5 2.5 0 0 1 17 19H7a2.5 2.5 0 0 1-2.5-2.5V7.25" />
      <path d="M15.75 14.25v.05" strokeWidth="2.6" />
    </Icon>
  )
}

export function GlobeIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="8.25" />
      <path d="M3.75 12h16.5M12 3.75c2.4 2.3 3.6 5 3.6 8.25s-1.2 5.95-3.6 8.25C9.6 17.95 8.4 15.25 8.4 12S9.6 6.05 12 3.75Z" />
    </Icon>
  )
}

export function KeyIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="8.25" cy="15.75" r="3.75" />
      <path d="m11 13 8-8m-3.5 3.5 2.5 2.5m-5 0 1.75 1.75" />
    </Icon>
  )
}

export function CoinsIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <ellipse cx="12" cy="7" rx="7" ry="3" />
      <path d="M5 7v5c0 1.65 3.1 3 7 3s7-1.35 7-3V7M5 12v5c0 1.65 3.1 3 7 3s7-1.35 7-3v-5" />
    </Icon>
  )
}

export function CompassIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="8.25" />
      <path d="m14.9 9.1-1.55 4.25-4.25 1.55 1.55-4.25Z" />
    </Icon>
  )
}

export function RetryIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M19 12a7 7 0 1 1-2.05-4.95L19.5 9.5M19.5 5v4.5H15" />
    </Icon>
  )
}

export function ArrowUpIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 19V5m-6 6 6-6 6 6" />
    </Icon>
  )
}

export function SwapIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4.5 8.5h14m-3.5-4 4 4-4 4M19.5 15.5h-14m3.5-4-4 4 4 4" />
    </Icon>
  )
}

export function ClockIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="8.25" />
      <path d="M12 7.5V12l3 2" />
    </Icon>
  )
}

export function CardIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M6 5.5h12A2.75 2.75 0 0 1 20.75 8.25v7.5A2.75 2.75 0 0 1 18 18.5H6a2.75 2.75 0 0 1-2.75-2.75v-7.5A2.75 2.75 0 0 1 6 5.5ZM3.5 10h17M7 14.5h3" />
    </Icon>
  )
}

export function NameIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="3.5" />
      <path d="M15.5 8.5v5a2.4 2.4 0 0 0 4.75.5 8.25 8.25 0 1 0-3.5 4.75" />
    </Icon>
  )
}

export function ContactsIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M8 3.75h8.5A2.5 2.5 0 0 1 19 6.25v11.5a2.5 2.5 0 0 1-2.5 2.5H8a2.5 2.5 0 0 1-2.5-2.5V6.25A2.5 2.5 0 0 1 8 3.75ZM3.75 8.5h3m-3 7h3m2 1.25c.5-1.75 1.75-2.75 3.5-2.75s3 1 3.5 2.75" />
      <circle cx="12.25" cy="10" r="2" />
    </Icon>
  )
}

export function EditIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m5 19 1-4L16.2 4.8a1.9 1.9 0 0 1 2.7 0l.3.3a1.9 1.9 0 0 1 0 2.7L9 18Zm9-12 3 3" />
    </Icon>
  )
}

export function PlusIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 5.5v13m6.5-6.5h-13" />
    </Icon>
  )
}

export function ImageIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M7 4.5h10A2.5 2.5 0 0 1 19.5 7v10a2.5 2.5 0 0 1-2.5 2.5H7A2.5 2.5 0 0 1 4.5 17V7A2.5 2.5 0 0 1 7 4.5ZM5 16.5l4.5-4.5 6.5 7m-2.5-3 2.5-2.5 3.25 3.25" />
      <path d="M14.75 8.75v.05" strokeWidth="2.6" />
    </Icon>
  )
}

export function PhoneIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="7" y="3" width="10" height="18" rx="2.4" />
      <path d="M11 17.8h2" />
    </Icon>
  )
}

export function ContractIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m8.5 8-4 4 4 4m7-8 4 4-4 4m-2-9.5-3 11" />
    </Icon>
  )
}

export function QrIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="4" y="4" width="6" height="6" rx="1.5" />
      <rect x="14" y="4" width="6" height="6" rx="1.5" />
      <rect x="4" y="14" width="6" height="6" rx="1.5" />
      <path d="M14 14h2.5v2.5H14zM20 14v2.5M20 20h-2.5M14 20v-.5" />
    </Icon>
  )
}

export function MailIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="3" y="5" width="18" height="14" rx="3" />
      <path d="m4 7.5 8 6 8-6" />
    </Icon>
  )
}

export function MoreIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />
    </Icon>
  )
}

export function BoltIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M13.25 3.5 5.5 13.25H11l-1 7.25 8.5-10.5h-6z" />
    </Icon>
  )
}

export function ShieldIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 3 5 5.5v5.6c0 4.4 2.9 8 7 9.9 4.1-1.9 7-5.5 7-9.9V5.5z" />
      <path d="m9 11.8 2.2 2.2 4-4.2" />
    </Icon>
  )
}
