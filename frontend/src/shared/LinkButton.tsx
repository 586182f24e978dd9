import { Button, type ButtonProps } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

type LinkButtonProps = ButtonProps & { link: LinkProps };

/** A link that looks like a button: it navigates, so it is an anchor. */
export function LinkButton({ link, ...button }: LinkButtonProps) {
  return <Button {...button} renderRoot={(props) => <Link {...link} {...props} />} />;
}
