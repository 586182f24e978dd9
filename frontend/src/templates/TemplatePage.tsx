import { useNavigate, useParams } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Template } from '../api/types';
import { useMayEdit, useProjectId } from '../shared/useProject';
import { notifyDone } from '../shared/notify';
import { NewNounPage, NounPage } from '../shared/nouns/NounPage';
import { useNounLinks } from '../shared/nouns/useNounActions';
import { TemplateForm } from './TemplateForm';
import { emptyTemplate, templatePayload, templateValues, type TemplateValues } from './templateForm';

export function NewTemplatePage() {
  const project = useProjectId();
  const navigate = useNavigate();
  const links = useNounLinks('templates');
  const create = $api.useMutation('post', '/api/v1/templates');
  const createTemplate = async (values: TemplateValues) => {
    const made = await create.mutateAsync({ body: templatePayload(values, project) });
    notifyDone(`Template “${made.name}” is made. Next: a crawler that uses it.`);
    await navigate({ ...links.open(made), ignoreBlocker: true, replace: true });
    return undefined;
  };
  return (
    <NewNounPage
      noun="templates"
      listTitle="Templates"
      title="New template"
      description="Say what one document looks like."
    >
      <TemplateForm
        readOnly={false}
        initial={emptyTemplate()}
        save={{ pending: create.isPending, run: createTemplate }}
      />
    </NewNounPage>
  );
}

function EditTemplate({ template }: { template: Template }) {
  const readOnly = !useMayEdit();
  const change = $api.useMutation('patch', '/api/v1/templates/{id}');
  const saveTemplate = async (values: TemplateValues) => {
    const body = templatePayload(values, template.project);
    const saved = await change.mutateAsync({ params: { path: { id: template.id } }, body });
    notifyDone('Template saved.');
    return templateValues(saved, values);
  };
  return (
    <TemplateForm
      templateId={template.id}
      readOnly={readOnly}
      initial={templateValues(template)}
      save={{ pending: change.isPending, run: saveTemplate }}
    />
  );
}

export function TemplatePage() {
  const { id } = useParams({ strict: false });
  const answer = $api.useQuery('get', '/api/v1/templates/{id}', { params: { path: { id: Number(id) } } });
  return (
    <NounPage noun="templates" listTitle="Templates" answer={answer}>
      {(template) => <EditTemplate key={template.id} template={template} />}
    </NounPage>
  );
}
