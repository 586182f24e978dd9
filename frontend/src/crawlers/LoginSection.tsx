import { Alert, Box, Input, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ActionsEditor } from '../shared/actions/ActionsEditor';
import { CodeInput } from '../shared/forms/CodeInput';
import { FormSection } from '../shared/forms/FormSection';
import { usualLogin, type CrawlerValues } from './crawlerForm';

interface LoginSectionProps {
  form: UseFormReturnType<CrawlerValues>;
  readOnly: boolean;
}

/** How a browser signs in before it reads pages. */
export function LoginSection({ form, readOnly }: LoginSectionProps) {
  const { wanted, actions } = form.values.login;
  const wantLogin = (isWanted: boolean) => {
    form.setFieldValue('login.wanted', isWanted);
    if (isWanted && !actions.length) form.setFieldValue('login.actions', usualLogin());
  };
  return (
    <FormSection
      title="Login"
      description="For pages that only members see. It is done once in each browser, and again whenever the website has logged it out."
    >
      <Switch
        label="Sign in first"
        description="Every page is then opened in a browser."
        checked={wanted}
        onChange={({ currentTarget }) => wantLogin(currentTarget.checked)}
      />
      {wanted && (
        <>
          {form.values.lane === 'http' && (
            <Alert color="wheat">
              This crawler works without a browser, so it never signs in. Choose another lane above.
            </Alert>
          )}
          <TextInput
            label="Login page"
            description="Where the steps begin. Empty: on the page that is to be read."
            placeholder="https://www.example.org/login"
            {...form.getInputProps('login.url')}
          />
          <Input.Wrapper
            label="Steps"
            labelElement="div"
            description="What to do there, in order."
            inputWrapperOrder={['label', 'description', 'input']}
          >
            <Box mt="xs">
              <ActionsEditor
                form={form}
                path="login.actions"
                label="Login steps"
                actions={actions}
                readOnly={readOnly}
                typesSecrets
                empty="Say how to sign in: type the name, type the password, click the button."
              />
            </Box>
          </Input.Wrapper>
          <CodeInput
            label="Logged out when this is there"
            description="XPath of something that only strangers see, such as the login form. Empty: the login is done once only."
            placeholder="//form[@id='login']"
            {...form.getInputProps('login.logged_out')}
          />
        </>
      )}
    </FormSection>
  );
}
