export { Amount, type AmountProps } from '../amount/Amount.tsx'
export { exactDecimal, shortDecimal } from '../amount/decimal.ts'
export { AssetIcon, type AssetIconProps } from '../avatar/AssetIcon.tsx'
export { Avatar, type AvatarProps } from '../avatar/Avatar.tsx'
export { Button, type ButtonProps } from '../button/Button.tsx'
export { CopyButton, type CopyButtonProps } from '../button/CopyButton.tsx'
export { IconButton, type IconButtonProps } from '../button/IconButton.tsx'
export { AutoHeight, type AutoHeightProps, keepHeight } from '../dialog/AutoHeight.tsx'
export { Dialog, type DialogProps } from '../dialog/Dialog.tsx'
export { EmptyState, type EmptyStateProps } from '../feedback/EmptyState.tsx'
export { Ring, type RingProps, type RingState } from '../feedback/Ring.tsx'
export { Separator, type SeparatorProps } from '../feedback/Separator.tsx'
export { Skeleton, type SkeletonProps } from '../feedback/Skeleton.tsx'
export { Spinner, type SpinnerProps } from '../feedback/Spinner.tsx'
export { Tag, type TagProps } from '../feedback/Tag.tsx'
export { Tooltip, type TooltipProps } from '../feedback/Tooltip.tsx'
export { Checkbox, type CheckboxProps } from '../field/Checkbox.tsx'
export { CodeField, type CodeFieldProps } from '../field/CodeField.tsx'
export { Switch, type SwitchProps } from '../field/Switch.tsx'
export { TextField, type TextFieldProps } from '../field/TextField.tsx'
export type { IconProps } from '../icons/Icon.tsx'
export * from '../icons/icons.tsx'
export { List, type ListProps } from '../list/List.tsx'
export { ListItem, type ListItemProps } from '../list/ListItem.tsx'
export { SkeletonRows, type SkeletonRowsProps } from '../list/SkeletonRows.tsx'
export { Qr, type QrProps } from '../qr/Qr.tsx'
export { ThemeScope, type ThemeScopeProps } from '../ThemeScope.tsx'
export { type Tab, Tabs, type TabsProps } from '../tabs/Tabs.tsx'
export {
  applyThemeVars,
  darkTheme,
  lightTheme,
  type RadiusScale,
  type Theme,
  type ThemeMode,
  type ThemeOptions,
  type ThemeVars,
} from '../theme.ts'
export { Toast, type ToastProps, type ToastVariant } from '../toast/Toast.tsx'
